import type { Page } from '@playwright/test'
import { CARD } from './e2e'

/** What a buyer types on the card page of the sandbox for a physical drop, by label. */
export const cardPageAnswers = (email: string, cardNumber = CARD.pays): Record<string, string> => ({
  Email: email,
  'Full name': 'Bea Buyer',
  'Address line 1': '1 Long Lane',
  City: 'London',
  'Postal code': 'N1 7GU',
  'Card number': cardNumber,
  CVC: '123',
})

/** Fills in every required field of the card page but the country and the expiry, which have a value already. */
export async function fillCardPage(page: Page, email: string, cardNumber?: string): Promise<void> {
  for (const [label, value] of Object.entries(cardPageAnswers(email, cardNumber)))
    await page.getByLabel(label, { exact: true }).fill(value)
}
