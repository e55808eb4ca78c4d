import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Whom a limit counts for: the network. A private address is that of a proxy whose header is not trusted, or of this machine: it
 * stands for everybody, so there each browser counts for itself.
 */
export function originOf({ network, isUnknownProxy }: Pick<Context, 'network' | 'isUnknownProxy'>, buyerKey: string) {
  return isUnknownProxy ? `${network} ${buyerKey}` : network
}
