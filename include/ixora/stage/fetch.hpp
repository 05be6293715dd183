// FETCH: turns record ids into documents and filters them (spec: execution.md section 5).
#pragma once

#include <optional>

#include "ixora/mql/matcher.hpp"
#include "ixora/stage/document_fetcher.hpp"
#include "ixora/stage/index_scan.hpp"
#include "ixora/stage/stage.hpp"

namespace ixora::stage {

// docs_examined counts filter evaluations, also of rows that had a document already. Right above an IXSCAN it takes the
// entries of the scan's cursor without a row for each of them.
template <store::Store S>
class FetchStage final : public Stage {
public:
    // `scan` is `input` if that is an IXSCAN; null otherwise.
    FetchStage(const plan::PlanNode& node, StagePtr input, StoreContext<S>& context,
               IndexScanStage<S>* scan = nullptr);

    bool is_eof() const override { return !retry_ && child().is_eof(); }

protected:
    State do_work(Member& out) override;
    State do_run(Member& out, std::int64_t budget, std::int64_t& done) override;
    void do_save() override { fetcher_.save(); }
    bool do_rest() override;
    void do_begin() override;

private:
    State examine(Member& row);
    State run_over_scan(Member& out, std::int64_t budget, std::int64_t& done);
    State fetch_entry(const store::IndexEntry& entry, Member& out);

    StoreContext<S>& context_;
    IndexScanStage<S>* scan_;
    std::optional<mql::Matcher> filter_;
    DocumentFetcher<S> fetcher_;
    std::optional<Member> retry_;  // a row whose fetch the store wants done again
};

}  // namespace ixora::stage
