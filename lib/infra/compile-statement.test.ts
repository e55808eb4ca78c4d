import { compileStatement, valuesOf } from './compile-statement'

test.each([
  ['a name', 'SELECT :dropId', 'SELECT $1', ['dropId']],
  ['names in the order of their first use', 'SELECT :b, :a, :b', 'SELECT $1, $2, $1', ['b', 'a']],
  ['a name before a cast', 'SELECT :a::int[], :b :: text', 'SELECT $1::int[], $2 :: text', ['a', 'b']],
  ['a cast of a column', 'SELECT "x"::text, now()::date', 'SELECT "x"::text, now()::date', []],
  ['a cast right before a name', 'SELECT x::text||:a', 'SELECT x::text||$1', ['a']],
  ['names that begin alike', 'SELECT :id, :ids', 'SELECT $1, $2', ['id', 'ids']],
  ['a string', `SELECT ':a', 'it''s :b', :c`, `SELECT ':a', 'it''s :b', $1`, ['c']],
  ['a string with escapes', String.raw`SELECT E'\':a', e'\\', :b`, String.raw`SELECT E'\':a', e'\\', $1`, ['b']],
  ['a quoted name', `SELECT ":a", "x"":b", :c`, `SELECT ":a", "x"":b", $1`, ['c']],
  ['a line comment', `-- it's :a\nSELECT :b`, `-- it's :a\nSELECT $1`, ['b']],
  ['a block comment', `/* :a 'b\n :c */ SELECT :d`, `/* :a 'b\n :c */ SELECT $1`, ['d']],
  ['dollar quotes', 'SELECT $$:a$$, $t$:b $$ $t$, :c', 'SELECT $$:a$$, $t$:b $$ $t$, $1', ['c']],
  ['an array slice', 'SELECT (x)[1:2], :a', 'SELECT (x)[1:2], $1', ['a']],
  ['a time in a string', `SELECT '12:30'::time, :a`, `SELECT '12:30'::time, $1`, ['a']],
  ['operators of json', `SELECT x->>'a:b' = :a`, `SELECT x->>'a:b' = $1`, ['a']],
  ['no parameter', 'SELECT 1', 'SELECT 1', []],
])('compiles %s', (_what, text, compiled, names) => {
  expect(compileStatement(text)).toEqual({ text: compiled, names })
})

test('a numbered parameter is refused unless it is inside a string', () => {
  expect(() => compileStatement('SELECT $1')).toThrow('use a named parameter')
  expect(compileStatement(`SELECT '$1'`)).toEqual({ text: `SELECT '$1'`, names: [] })
})

test('valuesOf() returns the values in the order of the names, accepts null and refuses undefined', () => {
  const compiled = compileStatement('SELECT :b, :a, :b')
  expect(valuesOf(compiled, { a: null, b: 2, c: 3 })).toEqual([2, null])
  expect(() => valuesOf(compiled, { a: 1 })).toThrow('the parameter :b of a statement has no value')
  expect(() => valuesOf(compiled, { a: undefined, b: 2 })).toThrow(':a')
})
