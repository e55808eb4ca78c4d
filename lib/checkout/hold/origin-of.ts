import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'

/**
 * Returns the origin by which limits count, which is normally the network. A private address belongs to this machine or
 * to a proxy whose header is not trusted, so all buyers would have the same one. In that case each browser counts for
 * itself.
 */
export function originOf({ network, isUnknownProxy }: Pick<Context, 'network' | 'isUnknownProxy'>, buyerKey: string) {
  return isUnknownProxy ? `${network} ${buyerKey}` : network
}

/** Returns a hash of the origin. Holds store the hash, so that limits can count holds without storing an address. */
export function originKeyOf(ctx: Context, buyerKey: string): string {
  return keyedHash('hold-origin', originOf(ctx, buyerKey)).slice(0, 32)
}
