/** A statement with `$1…` in place of its parameter names, and the names in the order of these numbers. */
export type CompiledStatement = { text: string; names: readonly string[] }

// The first alternatives match what is left unchanged: strings, quoted names, comments, dollar-quoted text, casts. The
// next one matches a parameter name. A name must begin with a letter, so that the bounds of an array slice ([1:2]) are
// not taken for a name. The last one matches a numbered parameter (`$1`), which is refused.
const TOKENS =
  /\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|::|:([a-zA-Z_]\w*)|\$\d+/g

/**
 * Turns the named parameters of a statement (`:dropId`) into the numbered ones of Postgres. A name that is used twice
 * becomes one parameter.
 * @throws Error when the statement has a numbered parameter.
 */
export function compileStatement(text: string): CompiledStatement {
  const names: string[] = []
  const compiled = text.replace(TOKENS, (token: string, _tag: string | undefined, name: string | undefined) => {
    if (/^\$\d/.test(token)) throw new Error(`a statement has the parameter ${token}: use a named parameter instead`)
    if (name === undefined) return token
    const at = names.indexOf(name)
    return `$${at === -1 ? names.push(name) : at + 1}`
  })
  return { text: compiled, names }
}

/**
 * Returns the values of a statement's parameters in the order of their numbers.
 * @throws Error for a name whose value is missing or `undefined`, because a misspelled name would otherwise go
 *   unnoticed. `null` is a value.
 */
export function valuesOf({ names }: CompiledStatement, parameters: Readonly<Record<string, unknown>>): unknown[] {
  return names.map((name) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`the parameter :${name} of a statement has no value`)
    return value
  })
}
