import { accountScreens } from './accounts.mjs'
import { adminScreens } from './admin.mjs'
import { checkoutScreens } from './checkout.mjs'
import { momentScreens } from './moment-screens'
import { orderScreens } from './orders.mjs'
import { rareScreens } from './rare-screens'
import { sellingScreens } from './selling.mjs'
import { stateScreens } from './state-screens'
import { visitorScreens } from './visitors.mjs'

/** All screens, in the order of the page that shows their pictures. */
export const screens = [
  ...visitorScreens,
  ...accountScreens,
  ...sellingScreens,
  ...orderScreens,
  ...checkoutScreens,
  ...stateScreens,
  ...momentScreens,
  ...rareScreens,
  ...adminScreens,
]

/** The screens whose pictures are compared (compare.spec.ts). They show only the data of the demo. */
export const COMPARED = [
  'landing',
  'drop-live',
  'drop-digital',
  'drop-sold-out',
  'drop-ended',
  'profile',
  'login',
  'login-create',
  'signup',
  'subscribe',
  'create',
  'create-missing',
  'dashboard',
  'dashboard-pro',
  'orders',
  'payouts',
  'card-page',
  'order',
  'find-order',
  'admin',
]
