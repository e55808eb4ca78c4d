import type { Drop, Prisma, User } from '@prisma/client'
import { type Context, createContext } from '@/lib/infra/context'
import { db } from '@/lib/infra/db'
import type { Actor, UserActor } from '@/lib/kernel/actor'
import { newUniqueId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'

let count = 0
let addresses = 0
const unique = () => `${process.pid.toString(36)}${(count += 1).toString(36)}${Date.now().toString(36)}`.slice(-14)

/** Returns a client address that no other test of this file uses, because limits count requests per address. */
function freshAddress(): string {
  addresses = (addresses + 1) % 2 ** 24
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

export function contextFor<A extends Actor>(actor: A): Context<A> {
  return createContext({ actor, ip: freshAddress() })
}

export const visitor = () => contextFor({ kind: 'visitor' } as Actor)

/** Returns the context of a visitor with this network address. */
export const visitorFrom = (ip: string) => createContext({ actor: { kind: 'visitor' } as Actor, ip })

export async function makeSeller(overrides: Partial<Prisma.UserCreateInput> = {}): Promise<User> {
  const name = unique()
  return db().user.create({
    data: {
      username: `s_${name}`,
      firstName: 'Sam',
      lastName: 'Seller',
      email: `${name}@example.com`,
      passwordHash: 'not a hash',
      ...overrides,
    },
  })
}

export function actorOf(user: User): UserActor {
  const { id: userId, username, plan, isAdmin, isSuspended } = user
  // The user has just signed in.
  const twoFactor = { hasTwoFactor: false, steppedUpAt: new Date() }
  return { kind: 'user', userId, sessionId: 'none', username, plan, isAdmin, isSuspended, ...twoFactor }
}

/** Makes a live drop that ends in an hour. Without `userId` in `overrides`, it belongs to a new seller. */
export async function makeDrop(overrides: Partial<Prisma.DropUncheckedCreateInput> = {}): Promise<Drop> {
  const userId = overrides.userId ?? (await makeSeller()).id
  return db().drop.create({
    data: {
      uniqueId: newUniqueId(),
      title: 'Test mug',
      description: 'A mug for tests.',
      productType: 'physical',
      priceCents: 2400,
      quantity: 10,
      duration: 24,
      startedAt: new Date(Date.now() - 23 * HOUR_MS),
      endTime: new Date(Date.now() + HOUR_MS),
      ...overrides,
      userId,
    },
  })
}

/** A browser that has never logged in anywhere. */
export const strangeDevice = { isKnownTo: () => false }
