// The engine over a store: `ixora::Database` in memory, `ixora::Engine<MyStore>` over a store of your own.
#pragma once

#include <memory>
#include <string_view>

#include "ixora/command/collection.hpp"
#include "ixora/command/service.hpp"
#include "ixora/command/storage-inl.hpp"
#include "ixora/store/memory_store.hpp"

namespace ixora {

// Thread-safe. An engine that is given a store does not own it; the default-made one makes its own.
//
// A program that uses Engine with a store of its own includes ixora/stage/plan_executor-inl.hpp in one source file,
// which compiles the stages for that store.
template <store::Store S>
class Engine {
public:
    Engine() requires std::default_initializable<S> : owned_(std::make_unique<S>()),
                                                      store_(owned_.get()),
                                                      service_(std::make_unique<command::StoreStorage<S>>(*store_)) {}
    explicit Engine(S& store) : store_(&store), service_(std::make_unique<command::StoreStorage<S>>(store)) {}

    // Runs one command document (with `$db`) and returns its reply; errors are replies too ({ok: 0, code, ...}).
    // `command` may come from anywhere but must be valid BSON (bson::validate). An embedder may hold on to `interrupt`
    // to stop it.
    bson::Document run_command(bson::View command) {
        Interrupt interrupt;
        return run_command(command, interrupt);
    }
    bson::Document run_command(bson::View command, Interrupt& interrupt) {
        return service_.run_command(command, interrupt);
    }

    // Throws InvalidNamespace (73).
    CollectionHandle collection(std::string_view name, std::string_view database = "test") {
        return CollectionHandle(service_, command::make_namespace(database, name));
    }

    Knobs knobs() const { return service_.knobs(); }
    void set_knobs(const Knobs& knobs) { service_.set_knobs(knobs); }
    S& store() noexcept { return *store_; }

private:
    std::unique_ptr<S> owned_;
    S* store_;
    command::Service service_;
};

using Database = Engine<store::MemoryStore>;

}  // namespace ixora
