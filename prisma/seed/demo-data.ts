import type { Plan } from '@/lib/kernel/plan'
import type { ProductType } from '@/lib/kernel/product-type'

type DemoSellerKey = 'mira' | 'juno' | 'ines' | 'otto' | 'tomas' | 'lena'

export type DemoSeller = {
  key: DemoSellerKey
  username: string
  firstName: string
  lastName: string
  email: string
  plan: Plan
  isVerified: boolean
  isSuspended?: boolean
}

type DemoDropState = 'live' | 'almostOver' | 'soldOut' | 'ended' | 'paused' | 'review'

export type DemoDrop = {
  key: string
  seller: DemoSellerKey
  title: string
  description: string
  productType: ProductType
  priceCents: number
  quantity: number
  /** What buyers choose, with the units and the sales of each value; the sums are the drop's `quantity` and `sold`. */
  option?: { name: string; values: { value: string; quantity: number; sold: number }[] }
  /** Discount codes that nobody has used yet. */
  codes?: { code: string; percent: number; maxUses: number }[]
  duration: 24 | 48 | 72
  /** Relative to the moment of seeding, and negative for a drop that is over. The launch is `duration` hours before the end. */
  endsInHours: number
  customSlug?: string
  shippingNote: string
  /** What a buyer of a digital drop downloads. */
  digitalFileName?: string
  /** File names, the main picture first. */
  pictures: string[]
  sold: number
  views: number
  isFeatured?: boolean
  isPinned?: boolean
  state: DemoDropState
}

type DemoAddress = {
  line1: string
  city: string
  state: string
  postalCode: string
  country: 'US' | 'GB' | 'DE'
}

export type DemoBuyer = { name: string; email: string; phone: string; address: DemoAddress }

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
  seller('mira', 'mira', 'Mira', 'Okafor', 'free', true),
  seller('juno', 'juno', 'Juno', 'Lindqvist', 'pro', true),
  seller('ines', 'ines_makes', 'Inês', 'Duarte', 'pro', true),
  seller('otto', 'ottos_pepper', 'Otto', 'Brandt', 'free', false),
  seller('tomas', 'tomas_wax', 'Tomás', 'Vega', 'free', false),
  { ...seller('lena', 'lena_linen', 'Lena', 'Hart', 'free', false), isSuspended: true },
]

/** The names of a product's pictures in prisma/seed/images: the numbers given, in that order, or all three. */
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
    shippingNote: 'Packed in paper, posted within 3 working days.',
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
    title: 'Low Sun, a four-colour riso print',
    description:
      'A3 risograph print in yellow, red, teal and midnight blue on 170 gsm uncoated paper. The layers shift slightly from sheet to sheet, as riso ink does.\n\nSigned on the back. The frame in the pictures is mine and is not included.',
    productType: 'physical',
    priceCents: 4800,
    quantity: 60,
    duration: 48,
    endsInHours: 26.2,
    customSlug: 'low-sun',
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
      'Six presets for Lightroom on phone and desktop, built from my own scans of colour and black-and-white film. Each comes in a normal and a softer version.\n\nA short PDF explains when I reach for which. Yours to keep, for personal and client work.',
    productType: 'digital',
    priceCents: 1900,
    quantity: 200,
    duration: 72,
    endsInHours: 71.8,
    customSlug: 'quiet-light',
    shippingNote: 'Download link straight after payment.',
    digitalFileName: 'quiet-light-presets.zip',
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
    customSlug: 'merino-beanie',
    shippingNote: 'Posted from Lisbon with tracking, 4 to 8 days.',
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
    key: 'hot-sauce',
    seller: 'otto',
    title: 'Slow-fermented red chilli sauce',
    description:
      'Fresno chillies, garlic, salt and time: three weeks in oak, then bottled with a little cider vinegar. Warm rather than fierce, good on eggs.\n\n150 ml. Keeps for a year unopened, three months in the fridge after that.',
    productType: 'physical',
    priceCents: 1400,
    quantity: 36,
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
      'Heavy washed linen, sewn with doubled seams and screen-printed by hand in three colours. Big enough for a loaf, flowers and the rest of the market.\n\n38 by 42 cm, handles long enough for a shoulder.',
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

/** The telephone numbers are from ranges that are reserved for films and examples. */
const buyer = (
  name: string,
  phone: string,
  line1: string,
  city: string,
  state: string,
  postalCode: string,
  country: DemoAddress['country'],
): DemoBuyer => {
  const mailbox = name
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(/ +/g, '.')
  return {
    name,
    email: `${mailbox}@buyers.lastcall.example`,
    phone,
    address: { line1, city, state, postalCode, country },
  }
}

export const demoBuyers: readonly DemoBuyer[] = [
  buyer('Hannah Whitlock', '+1 503 555 0142', '2214 SE Alder St', 'Portland', 'OR', '97214', 'US'),
  buyer('Marcus Bell', '+1 312 555 0117', '918 W Cullerton Ave', 'Chicago', 'IL', '60608', 'US'),
  buyer('Priya Raman', '+1 415 555 0168', '45 Fern Alley, Apt 3', 'San Francisco', 'CA', '94109', 'US'),
  buyer('Tessa Nguyen', '+1 206 555 0193', '1107 Harvard Ave E', 'Seattle', 'WA', '98102', 'US'),
  buyer('Daniel Ortiz', '+1 512 555 0126', '3409 Cherrywood Rd', 'Austin', 'TX', '78722', 'US'),
  buyer('Grace Adeyemi', '+1 718 555 0151', '288 Willoughby Ave, 4R', 'Brooklyn', 'NY', '11205', 'US'),
  buyer('Cole Abernathy', '+1 612 555 0174', '2650 Garfield Ave S', 'Minneapolis', 'MN', '55408', 'US'),
  buyer('Oliver Marsh', '+44 7700 900142', '17 Cotham Vale', 'Bristol', 'England', 'BS6 6HS', 'GB'),
  buyer('Aisha Khan', '+44 7700 900318', 'Flat 2, 64 Nithsdale Rd', 'Glasgow', 'Scotland', 'G41 2AN', 'GB'),
  buyer('Rhys Morgan', '+44 7700 900455', '9 Conway Rd', 'Cardiff', 'Wales', 'CF11 9NT', 'GB'),
  buyer('Eleanor Finch', '+44 7700 900876', '31 Burton Stone Lane', 'York', 'England', 'YO30 6BT', 'GB'),
  buyer('Jonas Keller', '+49 30 23125 014', 'Weserstraße 48', 'Berlin', 'Berlin', '12045', 'DE'),
  buyer('Katharina Vogt', '+49 89 99998 127', 'Baldestraße 11', 'München', 'Bayern', '80469', 'DE'),
  buyer('Emre Yılmaz', '+49 221 4710 233', 'Körnerstraße 27', 'Köln', 'Nordrhein-Westfalen', '50823', 'DE'),
  buyer('Leonie Bauer', '+49 40 66969 352', 'Marktstraße 102', 'Hamburg', 'Hamburg', '20357', 'DE'),
]
