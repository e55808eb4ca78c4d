// The drill `clock-jump` loads this file into a server. The server's clock is then SKEW_MS ahead of its database's
// clock.
const skew = Number(process.env.SKEW_MS ?? 0)
const now = Date.now.bind(Date)
Date.now = () => now() + skew
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now() + skew] : given, newTarget),
})
