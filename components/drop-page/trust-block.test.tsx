import { renderToStaticMarkup } from 'react-dom/server'
import { TrustBlock } from './trust-block'

const user = { username: 'ada', firstName: 'Ada', plan: 'free', isVerified: false, profileImageUrl: null } as const
const drop = { productType: 'service', hasKeys: false, shippingNote: '', shipsFrom: null, shipsBy: null } as const
const draw = (username: string | null, goods: object = {}) =>
  renderToStaticMarkup(
    <TrustBlock
      drop={{ ...drop, ...goods, user: { ...user, username } } as never}
      seller={{ sold: 0, since: 'Nov 2026' }}
      soldBy={null}
    />,
  )

it('links to the profile of a seller, and names a seller without a username without a link', () => {
  expect(draw('ada')).toContain('href="/profile/ada"')
  expect(draw('ada')).toContain('@ada')
  expect(draw(null)).not.toContain('/profile/')
  expect(draw(null)).not.toContain('@')
  expect(draw(null)).toContain('Ada')
})

it('says that goods are not new, and says nothing about goods that are', () => {
  expect(draw('ada', { productType: 'physical', condition: 'used' })).toContain('Used, not new.')
  expect(draw('ada', { productType: 'physical', condition: 'new' })).not.toContain('not new')
})
