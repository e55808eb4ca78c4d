/** What a seller has written on the public profile (docs/product.md#public-profile). */
export type PublicProfileView = { about: string; links: string[] }
