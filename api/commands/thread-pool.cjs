// Loaded by --require, before anything has used the pool: with a size it has begun, a later one changes nothing. Engines, files
// and names of hosts share these threads, and what waits in one of them holds it. Node's four would let a few reports keep
// calls and pings waiting.
process.env.UV_THREADPOOL_SIZE ??= "16";
