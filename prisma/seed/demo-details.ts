import type { Prisma } from '@prisma/client'

/** What some demo sellers state about themselves, by the key of the seller. */
export const demoDetails: Partial<Record<string, Prisma.SellerDetailsCreateWithoutUserInput>> = {
  otto: {
    kind: 'business',
    country: 'DE',
    legalName: 'Pfefferwerk Brandt GmbH',
    address: 'Musterstraße 12\n10999 Berlin',
    email: 'hallo@pfefferwerk.example',
    register: 'Amtsgericht Charlottenburg, HRB 000000',
    vatId: 'DE000000000',
    isCertified: true,
  },
  tomas: { kind: 'private', country: 'US' },
}
