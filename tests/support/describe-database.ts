import { Client } from 'pg'

// Describes a schema with one string per object. The order of columns is left out, because it depends on when a column
// was added and has no effect. The names of NOT NULL constraints are left out as well, because they stay when a column
// is renamed; the column itself says that it is NOT NULL. Functions of extensions and Prisma's own table are also left
// out.
const OURS = `
  WITH ours AS (
    SELECT c.oid, c.relname FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p') AND c.relname <> '_prisma_migrations'
  ), ours_functions AS (
    SELECT p.oid FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (
       SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  )`

const PARTS = [
  `SELECT format('column %I.%I %s%s%s%s', o.relname, a.attname, format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attnotnull THEN ' NOT NULL' END, ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid),
            ' IDENTITY ' || nullif(a.attidentity::text, ''))
     FROM ours o JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_attrdef d ON d.adrelid = o.oid AND d.adnum = a.attnum`,
  `SELECT format('table %I %s', o.relname, CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED' ELSE 'LOGGED' END)
     FROM ours o JOIN pg_class c ON c.oid = o.oid`,
  `SELECT format('comment on %I.%I: %s', o.relname, a.attname, d.description)
     FROM ours o JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = o.oid
     LEFT JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum = d.objsubid`,
  `SELECT format('constraint on %I: %I %s', o.relname, c.conname, pg_get_constraintdef(c.oid))
     FROM ours o JOIN pg_constraint c ON c.conrelid = o.oid AND c.contype <> 'n'`,
  `SELECT format('index %s%s', pg_get_indexdef(i.indexrelid), CASE WHEN NOT i.indisvalid THEN ' INVALID' END)
     FROM ours o JOIN pg_index i ON i.indrelid = o.oid`,
  `SELECT format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled)
     FROM ours o JOIN pg_trigger t ON t.tgrelid = o.oid AND NOT t.tgisinternal`,
  `SELECT 'function ' || pg_get_functiondef(f.oid) FROM ours_functions f`,
  `SELECT format('type %I: %s', t.typname, (SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
     FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'e'`,
  `SELECT format('sequence %I %s, owned by %s.%s', s.relname, format_type(q.seqtypid, NULL), d.refobjid::regclass, a.attname)
     FROM pg_class s JOIN pg_sequence q ON q.seqrelid = s.oid
     LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype = 'a'
     LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE s.relnamespace = 'public'::regnamespace`,
  `SELECT 'extension ' || extname FROM pg_extension`,
]

/** Returns a sorted list with one string for each object of a database's schema. Equal schemas have equal lists. */
export async function describeDatabase(databaseUrl: string): Promise<string[]> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    const lines: string[] = []
    for (const part of PARTS) {
      const { rows } = await client.query<{ line: string }>(`${OURS} SELECT part.line FROM (${part}) AS part(line)`)
      lines.push(...rows.map((row) => row.line))
    }
    return lines.sort()
  } finally {
    await client.end()
  }
}
