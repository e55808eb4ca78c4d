import 'server-only'
import { z } from 'zod/mini'
import { updateAccountSchema } from '@/lib/accounts/schema'
import { listDropsSchema, listUsersSchema, panelSearchSchema, updateDropSchema } from '@/lib/admin/schema'
import { adminDropView, adminStatsView, adminUserDetailView, adminUserView, searchView } from '@/lib/admin/view-schema'
import { debtPaymentSchema } from '@/lib/payouts/schema'
import { debtPaymentView } from '@/lib/payouts/view-schema'
import { togglePlatformSchema } from '@/lib/platform/schema'
import { type Operations } from './operation'
import { messageBody } from './visitor-calls'

const state = z.object({ isActive: z.boolean() })
const nextPage = { 'X-Next-Cursor': 'Leads to the next page; missing on the last one.' }

/** The calls of docs/contract.md#calls-of-administrators. */
export const adminCalls: Operations = {
  '/api/admin/stats': {
    get: { summary: 'Four figures', who: 'admin', answers: { 200: { text: 'The figures.', schema: adminStatsView } } },
  },
  '/api/admin/search': {
    get: {
      summary: 'Find users, drops, orders, payouts and disputes',
      who: 'admin',
      isLimited: true,
      query: panelSearchSchema,
      answers: { 200: { text: 'At most five of each kind.', schema: searchView } },
    },
  },
  '/api/admin/users': {
    get: {
      summary: 'Users, newest first',
      who: 'admin',
      query: listUsersSchema,
      answers: { 200: { text: 'One page of users.', schema: z.array(adminUserView), headers: nextPage } },
    },
  },
  '/api/admin/users/{id}': {
    get: {
      summary: 'One user, even after the account was deleted',
      who: 'admin',
      answers: { 200: { text: 'The user.', schema: adminUserDetailView } },
      refusals: [404],
    },
    patch: {
      summary: 'Change plan or badge, suspend or lift a suspension',
      who: 'admin',
      body: { schema: updateAccountSchema },
      answers: { 200: { text: 'The user.', schema: adminUserView } },
      refusals: [404],
    },
    delete: {
      summary: 'Delete an account',
      who: 'admin',
      answers: { 200: { text: 'Deleted.', schema: messageBody } },
      refusals: [404, 409],
    },
  },
  '/api/admin/users/{id}/debt-payments': {
    post: {
      summary: 'Record what a seller paid back outside of Stripe',
      who: 'admin',
      body: { schema: debtPaymentSchema },
      answers: { 200: { text: 'The rest of the debt.', schema: debtPaymentView } },
      refusals: [404, 409],
    },
  },
  '/api/admin/drops': {
    get: {
      summary: 'Drops, newest first, with their owners',
      who: 'admin',
      query: listDropsSchema,
      answers: { 200: { text: 'One page of drops.', schema: z.array(adminDropView), headers: nextPage } },
    },
  },
  '/api/admin/drops/{id}': {
    patch: {
      summary: 'Switch, feature, pin, extend, end, restore or archive a drop',
      who: 'admin',
      body: { schema: updateDropSchema },
      answers: { 200: { text: 'The drop.', schema: adminDropView } },
      refusals: [404, 409],
    },
    delete: {
      summary: 'Remove a drop',
      who: 'admin',
      answers: { 200: { text: 'Removed.', schema: messageBody } },
      refusals: [404, 409],
    },
  },
  '/api/admin/platform-settings': {
    get: {
      summary: 'Whether the platform is open',
      who: 'admin',
      answers: { 200: { text: 'The state.', schema: state } },
    },
  },
  '/api/admin/toggle-platform': {
    post: {
      summary: 'The kill switch',
      who: 'admin',
      body: { schema: togglePlatformSchema },
      isBodyOptional: true,
      answers: { 200: { text: 'The new state.', schema: state } },
    },
  },
  '/api/admin/export/{list}': {
    get: {
      summary: '`users` or `drops` as a file',
      who: 'admin',
      answers: { 200: { text: 'The file.', type: 'text/csv' } },
      refusals: [404],
    },
  },
}
