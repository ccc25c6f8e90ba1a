using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "gateway", worker = .gateway),
    (name = "d1", worker = .d1),
    (name = "disk", disk = (path = "data", writable = true)),
  ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "gateway") ],
);

const gateway :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "statements.mjs", esModule = embed "statements.mjs"),
  ],
  compatibilityDate = "2026-04-20",
  bindings = [
    (name = "DB", wrapped = (
      moduleName = "cloudflare-internal:d1-api",
      innerBindings = [ (name = "fetcher", service = "d1") ],
    )),
    (name = "WORLD", fromEnvironment = "WORLD"),
    (name = "AUDIENCE", fromEnvironment = "AUDIENCE"),
    (name = "TOKEN_KEY", fromEnvironment = "TOKEN_KEY"),
    (name = "WRITER_KEY", fromEnvironment = "WRITER_KEY"),
  ],
);

const d1 :Workerd.Worker = (
  modules = [ (name = "d1_object.mjs", esModule = embed "d1_object.mjs") ],
  compatibilityDate = "2026-04-20",
  bindings = [ (name = "OBJECT", durableObjectNamespace = "D1Object") ],
  durableObjectNamespaces = [ (className = "D1Object", uniqueKey = "d1", enableSql = true) ],
  durableObjectStorage = (localDisk = "disk"),
);
