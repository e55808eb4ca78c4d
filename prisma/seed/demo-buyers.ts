type DemoAddress = {
  line1: string
  city: string
  state: string
  postalCode: string
  country: 'US' | 'GB' | 'DE'
}

type DemoBuyer = { name: string; email: string; phone: string; address: DemoAddress }

/** Buyers get telephone numbers from ranges that are reserved for films and examples. */
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
