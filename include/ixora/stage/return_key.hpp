// RETURN_KEY: the index key in place of the document (spec: execution.md 8.2).
#pragma once

#include <string>
#include <vector>

#include "ixora/mql/projection.hpp"
#include "ixora/stage/row_transform.hpp"

namespace ixora::stage {

// An empty document where no index gave a key. Fields that the projection fills with {$meta: "sortKey"} are added.
class ReturnKeyStage final : public RowTransformStage {
public:
    // `projection` may be null.
    ReturnKeyStage(const plan::PlanNode& node, StagePtr input, const mql::Projection* projection);

protected:
    void transform(Member& row) override;

private:
    std::vector<std::string> sort_key_fields_;
};

}  // namespace ixora::stage
