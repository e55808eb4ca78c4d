import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeDatabase, db } from '@/lib/infra/db'
import { makeDrop } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { runNode } from '@/tests/support/run-node'

examineMoneyAfterEach()
afterAll(closeDatabase)

const UNITS = { XS: 30, S: 61, M: 100, L: 47, XL: 12 }
const TYPESCRIPT = ['--conditions=react-server', '--import', './tests/support/register-typescript.mjs']

/** The number of buyers in each process. `OVERSELL_ATTEMPTS` sets another number. */
const attempts = Number(process.env.OVERSELL_ATTEMPTS ?? 1_500)
/** How often it is tried. `OVERSELL_ROUNDS` sets another number. */
const rounds = Array.from({ length: Number(process.env.OVERSELL_ROUNDS ?? 1) }, (_, at) => at + 1)

it.each(rounds)(
  'buyers in two processes hold exactly the units of each of five values (round %i)',
  async () => {
    const values = Object.entries(UNITS).map(([value, quantity], position) => ({ value, quantity, position }))
    const quantity = values.reduce((sum, value) => sum + value.quantity, 0)
    const drop = await makeDrop({ quantity, optionName: 'Size', values: { create: values } })
    const rows = await db().optionValue.findMany({ where: { dropId: drop.id }, orderBy: { position: 'asc' } })
    const meetingPlace = await mkdtemp(path.join(tmpdir(), 'lastcall-two-'))
    const valueIds = rows.map(({ id }) => id)
    const crowd = JSON.stringify({ dropId: drop.id, valueIds, attempts, atOnce: 20, meetingPlace })
    const program = [...TYPESCRIPT, 'tests/support/take-values.ts', crowd]
    const ended = await Promise.all([runNode(program, {}), runNode(program, {})])
    expect(ended.filter(({ code }) => code !== 0)).toEqual([])
    const got = ended.map(
      ({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, number>,
    )
    const end = await db().optionValue.findMany({ where: { dropId: drop.id }, orderBy: { position: 'asc' } })
    for (const { id, value, held } of end) {
      expect([value, held]).toEqual([value, (got[0]?.[id] ?? 0) + (got[1]?.[id] ?? 0)])
      expect([value, held]).toEqual([value, UNITS[value as keyof typeof UNITS]])
    }
    expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ sold: 0, held: quantity })
    // Each process took units, so neither of them waited for the other to end.
    for (const one of got) expect(Object.values(one).reduce((sum, units) => sum + units, 0)).toBeGreaterThan(0)
  },
  300_000,
)
