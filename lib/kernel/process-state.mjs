/**
 * Returns the state that a process keeps once under a name. A plain module variable is not enough: Next.js bundles each
 * route by itself, so one process can hold several copies of a module, each with its own variables. With plain
 * variables there would be several connection pools, and each copy would have its own counters.
 * @template {object} State
 * @param {string} name names the state in the whole process; two callers that share a state use the same name and type.
 * @param {() => State} create makes the state at the first call.
 * @returns {State}
 */
export function processState(name, create) {
  const key = Symbol.for(`lastcall.${name}`)
  if (!Reflect.has(globalThis, key)) Reflect.set(globalThis, key, create())
  return Reflect.get(globalThis, key)
}
