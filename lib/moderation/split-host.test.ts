import { lexicon } from './lexicon'
import { scanTexts } from './rules'
import { splitHost } from './split-host'

const verdictOf = (host: string) => scanTexts({ links: splitHost(host) }, lexicon)[0]?.category

test.each([
  ['freecasinomoney.example', 'restricted'],
  ['buycocainehere.example', 'drugs'],
  ['shop.c0cainepills.example', 'drugs'],
  ['ghostgun.example', 'weapons'],
  ['bestfreeporn.example', 'adult'],
  ['xanaxandmore.example', 'medicine'],
])('finds words that are written together in %s', (host, category) => expect(verdictOf(host)).toBe(category))

test.each([
  'heroinesofhistory.example',
  'asteroidprints.example',
  'specialistbindery.example',
  'socialistposters.example',
  'mushroomforage.example',
  'glockenspiel.example',
  'lemontrifle.example',
  'epistolarynovels.example',
  'www.instagram.com',
  'juno-ceramics.example',
  'etsy.com',
  'sussexstudio.example',
  'scunthorpepottery.example',
])('finds nothing in %s', (host) => expect(verdictOf(host)).toBeUndefined())
