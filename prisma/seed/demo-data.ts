import type { Plan } from '@/lib/kernel/plan'
import type { DemoDrop, DemoSellerKey } from './demo-drop'

export type DemoSeller = {
  key: DemoSellerKey
  username: string
  firstName: string
  lastName: string
  email: string
  plan: Plan
  isVerified: boolean
  isSuspended?: boolean
  /** What the public profile says. */
  publicProfile?: { about: string; links: string[] }
  /** How many people follow the seller. */
  followers?: number
}

export const demoPassword = 'lastcall-demo'

export const demoAdmin = {
  username: 'admin',
  firstName: 'Ada',
  lastName: 'Admin',
  email: 'admin@lastcall.example',
} as const

const seller = (
  key: DemoSellerKey,
  username: string,
  firstName: string,
  lastName: string,
  plan: DemoSeller['plan'],
  isVerified: boolean,
): DemoSeller => ({ key, username, firstName, lastName, email: `${key}@lastcall.example`, plan, isVerified })

export const demoSellers: readonly DemoSeller[] = [
  {
    ...seller('mira', 'mira', 'Mira', 'Okafor', 'free', true),
    publicProfile: {
      about: 'Stoneware from a small studio with one kiln. New firing every month.',
      links: ['https://instagram.com/example'],
    },
  },
  {
    ...seller('juno', 'juno', 'Juno', 'Lindqvist', 'pro', true),
    publicProfile: {
      about: 'Prints, presets and portraits. I shoot on film and print on a Riso.',
      links: ['https://instagram.com/example', 'https://juno.example/journal'],
    },
    followers: 12,
  },
  seller('ines', 'ines_makes', 'Inês', 'Duarte', 'pro', true),
  {
    ...seller('otto', 'ottos_pepper', 'Otto', 'Brandt', 'free', false),
    publicProfile: { about: 'Fermented hot sauce in small batches.', links: [] },
  },
  seller('tomas', 'tomas_wax', 'Tomás', 'Vega', 'pro', false),
  { ...seller('lena', 'lena_linen', 'Lena', 'Hart', 'free', false), isSuspended: true },
]

/** Returns the file names of a product's pictures in prisma/seed/images, in this order. Without an order, all three. */
const picturesOf = (product: string, ...order: number[]): string[] =>
  (order.length > 0 ? order : [1, 2, 3]).map((number) => `${product}-${number}.webp`)

export const demoDrops: readonly DemoDrop[] = [
  {
    key: 'mug',
    seller: 'mira',
    title: 'Speckled stoneware mug',
    description:
      'Thrown on the wheel in my studio and dipped in an oat glaze that stops short of the foot. Each one holds about 320 ml and sits a little differently in the hand.\n\nDishwasher safe. The speckles are iron in the clay, so no two are alike.',
    productType: 'physical',
    priceCents: 3400,
    quantity: 24,
    codes: [{ code: 'FRIENDS', percent: 20, maxUses: 10 }],
    duration: 48,
    endsInHours: 28.6,
    shippingNote: 'Packed in paper.',
    shipsFrom: 'GB',
    shipsWithin: 5,
    pictures: picturesOf('ceramic-mug'),
    sold: 9,
    views: 412,
    isFeatured: true,
    state: 'live',
  },
  {
    key: 'mug-spring',
    seller: 'mira',
    title: 'Two mugs from the spring firing',
    description:
      'One oat mug and one in sea glaze, from the same kiln load. The sea glaze pools a darker green inside the rim.\n\nSold as a pair; both hold about 320 ml.',
    productType: 'physical',
    priceCents: 6200,
    quantity: 12,
    duration: 24,
    endsInHours: -218,
    shippingNote: 'Posted together in one box.',
    pictures: picturesOf('ceramic-mug', 3, 2),
    sold: 10,
    views: 536,
    state: 'ended',
  },
  {
    key: 'riso-poster',
    seller: 'juno',
    title: 'Low Sun, a four-color riso print',
    description:
      'A3 risograph print in yellow, red, teal and midnight blue on 170 gsm uncoated paper. The layers shift slightly from sheet to sheet, as riso ink does.\n\nSigned and numbered on the back. The frame in the pictures is mine and is not included.',
    productType: 'physical',
    priceCents: 4800,
    quantity: 60,
    duration: 48,
    endsInHours: 26.2,
    customSlug: 'low-sun',
    isNumbered: true,
    shippingNote: 'Rolled in a sturdy tube, posted on Mondays and Thursdays.',
    pictures: picturesOf('riso-poster'),
    sold: 31,
    views: 1284,
    isFeatured: true,
    isPinned: true,
    state: 'live',
  },
  {
    key: 'film-presets',
    seller: 'juno',
    title: 'Quiet Light: six film presets',
    description:
      'Six presets for Lightroom on phone and desktop, built from my own scans of color and black-and-white film. Each comes in a normal and a softer version.\n\nA short PDF explains when I reach for which. Your own key unlocks every later update. Yours to keep, for personal and client work.',
    productType: 'digital',
    priceCents: 1900,
    quantity: 200,
    duration: 72,
    endsInHours: 71.8,
    customSlug: 'quiet-light',
    shippingNote: 'Download link straight after payment.',
    digitalFileName: 'quiet-light-presets.zip',
    keyPrefix: 'QUIET',
    pictures: picturesOf('film-presets'),
    sold: 3,
    views: 47,
    state: 'live',
  },
  {
    key: 'portrait-session',
    seller: 'juno',
    title: 'One-hour portrait session in Portland',
    description:
      'An hour in my studio on a Saturday, one or two people, natural light. You choose twelve pictures and I edit them by hand within a week.\n\nI write to you within a day of booking to agree a time. Moving it once is fine.',
    productType: 'service',
    priceCents: 18500,
    quantity: 6,
    duration: 72,
    endsInHours: 33.5,
    customSlug: 'portrait-hour',
    shippingNote: 'In the studio, second floor, step-free by lift.',
    pictures: picturesOf('portrait-session'),
    sold: 5,
    views: 368,
    state: 'live',
  },
  {
    key: 'beanie',
    seller: 'ines',
    title: 'Striped merino beanie with pompom',
    description:
      'Knitted by hand in soft merino, with a deep ribbed fold and a pompom that unbuttons for washing. One size, fits 54 to 60 cm.\n\nMustard, moss or berry, dyed in small batches.',
    productType: 'physical',
    priceCents: 5600,
    quantity: 15,
    option: {
      name: 'Color',
      values: [
        { value: 'Mustard', quantity: 6, sold: 5 },
        { value: 'Moss', quantity: 5, sold: 2 },
        { value: 'Berry', quantity: 4, sold: 4 },
      ],
    },
    duration: 48,
    endsInHours: 2.6,
    maxPerBuyer: 2,
    customSlug: 'merino-beanie',
    shippingNote: 'Posted with tracking, 4 to 8 days.',
    shipsFrom: 'PT',
    shipsWithin: 7,
    pictures: picturesOf('knitted-beanie'),
    sold: 11,
    views: 597,
    isFeatured: true,
    state: 'almostOver',
  },
  {
    key: 'enamel-pins',
    seller: 'ines',
    title: 'Five enamel pins: small good things',
    description:
      'Sun, moon, eye, mushroom and wave in hard enamel with a brass edge, each about 28 mm wide. Two posts on the back, so they stay the right way up.\n\nThe set comes on the card in the picture.',
    productType: 'physical',
    priceCents: 2900,
    quantity: 40,
    duration: 48,
    endsInHours: 19.4,
    customSlug: 'small-good-things',
    shippingNote: 'Posted from Lisbon in a padded envelope.',
    pictures: picturesOf('enamel-pins'),
    sold: 40,
    views: 1103,
    state: 'soldOut',
  },
  {
    key: 'vinyl',
    seller: 'ines',
    title: 'Two Moons on blue vinyl',
    description:
      'Eight instrumental pieces for guitar and tape, recorded at home over one winter. Pressed on translucent blue vinyl, in a gatefold sleeve I painted.\n\n38 minutes, 33 rpm. A download comes with it.',
    productType: 'physical',
    priceCents: 3200,
    quantity: 50,
    duration: 72,
    endsInHours: -80,
    customSlug: 'two-moons',
    shippingNote: 'In a stiff record mailer, disc outside the sleeve.',
    pictures: picturesOf('vinyl-record'),
    sold: 36,
    views: 942,
    state: 'ended',
  },
  {
    key: 'vinyl-open',
    seller: 'ines',
    title: 'Two Moons: the B-sides, as a seven-inch',
    description:
      'Two pieces that did not fit on the album. An open edition: I have exactly as many pressed as are ordered until the end, each with its number stamped on the sleeve, and then never again.\n\n7 inches, 45 rpm, blue vinyl.',
    productType: 'physical',
    priceCents: 1600,
    quantity: 500,
    ...{ isNumbered: true, isOpenEdition: true },
    duration: 72,
    endsInHours: 44.3,
    customSlug: 'b-sides',
    shippingNote: 'Pressed after the end, then posted in a stiff mailer.',
    pictures: picturesOf('vinyl-record', 2, 3),
    sold: 42,
    views: 311,
    state: 'live',
  },
  {
    key: 'hot-sauce',
    seller: 'otto',
    title: 'Slow-fermented red chilli sauce',
    description:
      'Fresno chillies, garlic, salt and time: three weeks in oak, then bottled with a little cider vinegar. Warm rather than fierce, good on eggs.\n\n150 ml. Keeps for a year unopened, three months in the fridge after that.',
    productType: 'physical',
    priceCents: 1400,
    quantity: 36,
    earlierRun: { quantity: 24, sold: 21, endedHoursAgo: 150 },
    duration: 24,
    endsInHours: 0.67,
    shippingNote: 'Padded and boxed, posted the next working day.',
    pictures: picturesOf('hot-sauce'),
    sold: 29,
    views: 688,
    state: 'almostOver',
  },
  {
    key: 'hot-sauce-trio',
    seller: 'otto',
    title: 'Three sauces: red, green and amber',
    description:
      'One bottle each of slow red chilli, green jalapeño with lime, and amber habanero with carrot. From mild to properly hot: green, then red, then amber.\n\n150 ml each.',
    productType: 'physical',
    priceCents: 3600,
    quantity: 24,
    duration: 48,
    endsInHours: -31,
    shippingNote: 'Three bottles in one padded box.',
    pictures: picturesOf('hot-sauce', 3, 2),
    sold: 24,
    views: 815,
    state: 'ended',
  },
  {
    key: 'candle',
    seller: 'tomas',
    title: 'Fig and woodsmoke candle, 220 g',
    description:
      'Soy and beeswax poured by hand into fluted amber glass. Fig leaf first, then a little smoke once it has burned for an hour.\n\nAbout 45 hours of light. The glass makes a good tumbler afterwards.',
    productType: 'physical',
    priceCents: 2800,
    quantity: 20,
    duration: 48,
    endsInHours: -6.5,
    shippingNote: 'Wrapped in paper wool, posted on Wednesdays.',
    pictures: picturesOf('poured-candle'),
    sold: 14,
    views: 329,
    state: 'ended',
  },
  {
    key: 'candle-winter',
    seller: 'tomas',
    title: 'Winter candle, numbered, in two sizes',
    description:
      'Fir, smoke and a little clove in fluted amber glass. I pour it once a year, and every glass has its number on the foot.\n\nThe small one burns for about 25 hours, the large one for about 45.',
    productType: 'physical',
    priceCents: 3200,
    quantity: 40,
    option: {
      name: 'Size',
      values: [
        { value: 'Small', quantity: 24, sold: 0 },
        { value: 'Large', quantity: 16, sold: 0 },
      ],
    },
    isNumbered: true,
    early: { earlyMinutes: 60, earlyUnits: 12 },
    codes: [{ code: 'HEARTH', percent: 15, maxUses: 20 }],
    maxPerBuyer: 4,
    duration: 48,
    endsInHours: 78,
    customSlug: 'winter-candle',
    shippingNote: 'Wrapped in paper wool, posted on Wednesdays.',
    shipsFrom: 'ES',
    shipsWithin: 6,
    pictures: picturesOf('poured-candle', 2, 1),
    sold: 0,
    views: 0,
    state: 'scheduled',
  },
  {
    key: 'candle-hemp',
    seller: 'tomas',
    title: 'Hemp and cedar candle, 220 g',
    description:
      'The same amber glass with a hemp-fibre wick and cedar oil, and a cannabis leaf on its label. It smells of a dry forest and burns a little slower than the fig one.\n\nAbout 50 hours of light.',
    productType: 'physical',
    priceCents: 2800,
    quantity: 20,
    duration: 24,
    endsInHours: 23.2,
    shippingNote: 'Wrapped in paper wool, posted on Wednesdays.',
    pictures: picturesOf('poured-candle', 3, 2),
    sold: 0,
    views: 0,
    state: 'review',
  },
  {
    key: 'tote',
    seller: 'lena',
    title: 'Linen tote with a lemon print',
    description:
      'Heavy washed linen, sewn with doubled seams and screen-printed by hand in three colors. Big enough for a loaf, flowers and the rest of the market.\n\n38 by 42 cm, handles long enough for a shoulder.',
    productType: 'physical',
    priceCents: 4200,
    quantity: 30,
    duration: 72,
    endsInHours: 41,
    shippingNote: 'Folded flat in a paper envelope, posted within 2 days.',
    pictures: picturesOf('linen-tote'),
    sold: 4,
    views: 158,
    state: 'paused',
  },
]
