import type { Page } from '@playwright/test'
import { CARD } from './e2e'

/** What a buyer types on the card page of the sandbox for a physical drop, by label. */
export const cardPageAnswers = (email: string, cardNumber = CARD.pays): Record<string, string> => ({
  Email: email,
  Phone: '+44 20 7946 0018',
  'Full name': 'Bea Buyer',
  'Address line 1': '1 Long Lane',
  City: 'London',
  'Postal code': 'N1 7GU',
  'Card number': cardNumber,
  Expiry: '12 / 34',
  CVC: '123',
})

/** Fills in every required field of the card page but the country. */
export async function fillCardPage(page: Page, email: string, cardNumber?: string): Promise<void> {
  for (const [label, value] of Object.entries(cardPageAnswers(email, cardNumber)))
    await page.getByLabel(label, { exact: true }).fill(value)
}
