import 'server-only'
import { innocentPhrases } from './innocent-phrases'
import { list, type Rule } from './rules'

const amounts = list(
  `gram, ounce, oz, kilo, eighth, zip, baggie, pill, tab, dose, thc, sativa, indica, strain, edible, bud`,
)
const rounds = list(`
      caliber, calibre, gauge, ammo, ammunition, rounds, magazine, unregistered, untraceable, loaded, semi auto*,
      automatic, holster, 9mm, 22lr, 308, 5 56, no serial, no paperwork
    `)
const brands = list(`
      rolex, gucci, louis vuitton, lv, chanel, prada, hermes, birkin, nike, jordan, air jordan, adidas, yeezy,
      supreme, cartier, omega, dior, balenciaga, moncler, airpod, iphone, ray ban, canada goose, patek*, audemars*
    `)
const fakes = list(`fake, replica, counterfeit, knockoff, knock off, super clone, superclone, rep, mirror quality, aaa`)
const people = list(`jews, muslims, christians, blacks, whites, gays, trans, immigrants, women, asians, arabs`)

const attacks = list(`kill all, death to, i hate, kill the`)

const drinks = list(`
      vodka, whisky, whiskey, bourbon, scotch, gin, rum, tequila, mezcal, brandy, cognac, absinthe, champagne, prosecco,
      cava, wine, beer, lager, cider, sake, mead, liqueur
    `)
const servings = list(`
      20cl, 35cl, 50cl, 70cl, 75cl, 330ml, 440ml, 500ml, 700ml, 750ml, abv, year old, years old, brut, rioja, chianti, barolo, malbec, single malt, ready to drink
    `)

const packs = list(`bottle of, can of, case of, crate of, keg of, pack of`)

const pairs = (first: readonly string[], second: readonly string[]) =>
  first.flatMap((one) => second.map((two) => `${one} ${two}`))

/**
 * The rules of the scanner (docs/product.md#scanner). An ambiguous word is refused only together with words that make
 * its meaning clear. By itself it is at most sent to review. Terms are written in the form that `readings` produces: in
 * lower case, with single spaces and without punctuation.
 */
const rules: readonly Rule[] = [
  {
    category: 'drugs',
    verdict: 'refuse',
    terms: list(`
      cocaine, crack rock, crack cocaine, heroin, meth, crystal meth, methamphetamine, mdma, ecstasy pill, molly
      pill, lsd tab, lsd blotter, acid tab, acid blotter, ketamine, fentanyl, ghb, dmt vape, dmt cart, mephedrone,
      hashish, thc vape, thc cart, thc gumm*, thc edible, weed edible, cannabis edible, magic mushroom bar,
      psilocybin capsule, weed for sale, buy weed, opium for sale, research chemical, 2c b, 2cb, coke for sale,
      pure coke
    `),
  },
  {
    category: 'drugs',
    verdict: 'refuse',
    terms: list(`weed, ganja, kush, shroom, lsd, dmt, psilocybin, ecstasy, molly, marijuana, opium`),
    near: amounts,
  },
  {
    category: 'drugs',
    verdict: 'review',
    terms: list(`
      1g weed, 2g weed, 3 5g weed, 5g weed, 7g weed, 14g weed, 28g weed, marijuana, cannabis, magic mushroom, psilocybin, shroom, lsd, dmt, ayahuasca, kratom, bong, poppers, drug
      test kit, fake urine
    `),
  },
  {
    category: 'medicine',
    verdict: 'refuse',
    terms: list(`
      oxycontin, oxycodone, percocet, vicodin, xanax, adderall, tramadol, codeine, lean syrup, anabolic steroid,
      testosterone enanthate, trenbolone, dianabol, no prescription, without prescription, without a prescription,
      no rx
    `),
  },
  {
    category: 'medicine',
    verdict: 'review',
    terms: list(`
      viagra, cialis, sildenafil, ozempic, semaglutide, botox, dermal filler, hgh, sarms, steroid, valium,
      ritalin, ivermectin, abortion pill, miracle cure, cures cancer, cure cancer, insulin, antibiotic,
      prescription med*
    `),
  },
  {
    category: 'weapons',
    verdict: 'refuse',
    terms: list(`
      ak 47, ak47, ar 15, ar15, glock, handgun, assault rifle, sniper rifle, firearm, ghost gun, gun for sale,
      guns for sale, real gun, gun part, gun kit, machine gun for sale, 3d printed gun, bump stock, auto sear,
      live ammo, live ammunition, ammunition, hollow point, 9mm round, 9mm ammo, pipe bomb, live grenade, hand
      grenade, molotov*, c4 explosive, plastic explosive, tnt explosive, gunpowder for sale, brass knuckle,
      switchblade, how to make a bomb, bomb making
    `),
  },
  { category: 'weapons', verdict: 'refuse', terms: list(`gun, rifle, pistol, shotgun, revolver`), near: rounds },
  {
    category: 'weapons',
    verdict: 'review',
    terms: list(`
      rifle, pistol, shotgun, revolver, ammo, taser, stun gun, crossbow, silencer, suppressor, balisong, butterfly
      knife, combat knife, throwing knife, machete, nunchaku, nunchuck, pepper spray, explosive, detonator, live
      firework, fireworks for sale, body armor, body armour, gun
    `),
  },
  {
    category: 'minors',
    verdict: 'refuse',
    terms: list(`
      child porn*, kiddie porn*, csam, underage nude, underage girl, underage sex, underage porn*, teen porn*,
      preteen nude, preteen model, jailbait, lolicon, shotacon, pthc
    `),
  },
  {
    category: 'adult',
    verdict: 'refuse',
    terms: list(`
      porn, porno*, pornograph*, sex tape, sex video, xxx video, xxx content, xxx pic, nude pic, nude photo of me,
      my nudes, nudes pack, custom nudes, selling nudes, explicit content pack, onlyfans leak*, onlyfans pack,
      leaked onlyfans, escort service, call girl, happy ending massage, prostitut*, cam girl, camgirl, sexting
      session
    `),
  },
  {
    category: 'adult',
    verdict: 'review',
    terms: list(`
      onlyfans, nsfw, xxx, hentai, erotic*, erotica, fetish, sex toy, dildo, vibrator, nudes, uncensored, sexting,
      feet pic, used panties, sensual massage
    `),
  },
  {
    category: 'counterfeit',
    verdict: 'refuse',
    terms: [
      ...pairs(fakes, brands),
      ...list(`
      stolen good, stolen phone, stolen iphone, icloud unlocked stolen, fell off a truck, cracked software,
      license key generator, keygen, warez, pirated movie, pirated copy, pirated software
    `),
    ],
  },
  {
    category: 'counterfeit',
    verdict: 'review',
    terms: list(`
      counterfeit, knockoff, knock off, super clone, superclone, mirror quality, unauthorized authentic, pirated,
      torrent, iptv, mod apk, designer dupe, designer inspired
    `),
  },
  {
    category: 'fraud',
    verdict: 'refuse',
    terms: list(`
      fake id, fake ids, fake passport, fake driver* licen*, fake diploma, fake degree, fake vaccine card,
      counterfeit money, counterfeit bill, counterfeit note, counterfeit cash, prop money undetectable, stolen
      credit card, credit card dump, credit card numbers dump, card dump, credit card number list, cvv, cvv2, fullz, carding, cloned card, clone card, bank log, ssn dob, social
      security number, hacked account, stolen account, verified paypal account, money flip, cash app flip, cashapp
      flip, money laundering, skimmer
    `),
  },
  {
    category: 'fraud',
    verdict: 'review',
    terms: list(`
      credit card number, novelty id, netflix account, spotify premium account, aged account, guaranteed return, guaranteed profit,
      guaranteed income, get rich quick, double your money, risk free profit, ponzi, pyramid scheme, forex signal,
      crypto signal, pump signal, fake review, buy followers, exam answers, essay written for you
    `),
  },
  {
    category: 'hate',
    verdict: 'refuse',
    terms: [
      ...pairs(attacks, people),
      ...list(`nigger, kike, heil hitler, sieg heil, white power, nazi flag, race war, gas the jews, 14 words 88`),
    ],
  },
  {
    category: 'hate',
    verdict: 'review',
    terms: list(
      `nazi, swastika, third reich, hitler, ku klux klan, kkk, confederate flag, white pride, faggot, retard`,
    ),
  },
  {
    category: 'violence',
    verdict: 'refuse',
    terms: list(`
      hitman for hire, hire a hitman, murder for hire, contract killing, contract killer, isis flag, al qaeda,
      terrorist manual, snuff film, snuff video, how to kill someone, beat someone up for you, bomb threat
    `),
  },
  {
    category: 'violence',
    verdict: 'review',
    terms: list(`gore video, isis, mass shooting, school shooting, death threat, revenge service, swatting`),
  },
  {
    category: 'selfHarm',
    verdict: 'refuse',
    terms: list(`
      suicide kit, suicide method, suicide guide, how to kill yourself, pro ana, proana, thinspo, thinspiration,
      painless death
    `),
  },
  { category: 'selfHarm', verdict: 'review', terms: list(`kill yourself, kys, self harm, cutting kit, suicide`) },
  {
    category: 'wildlife',
    verdict: 'refuse',
    terms: list(`
      elephant ivory, ivory tusk, rhino horn, rhinoceros horn, tiger bone, real tiger skin, tiger pelt, leopard
      pelt, pangolin scale, shark fin for sale, bear bile, kidney for sale, organ for sale, human organ, human
      remains, human bone, human skull
    `),
  },
  {
    category: 'wildlife',
    verdict: 'review',
    terms: list(`
      tusk, ivory carving, carved ivory, ivory figurine, human kidney, human liver, live kitten, live puppy,
      live hamster, live rabbit, live reptile, live bird, live fish, real fur, eagle feather, taxidermy, live animal, live snake, live parrot, puppies for sale, kittens
      for sale, puppy for sale, kitten for sale, exotic pet, tortoiseshell real, sea turtle shell, human hair,
      human tooth, human teeth, breast milk
    `),
  },
  {
    category: 'hacking',
    verdict: 'refuse',
    terms: list(`
      ransomware kit, ransomware builder, keylogger, ddos service, ddos attack, ddos booter, ip stresser, ip
      booter, botnet, remote access trojan, phishing kit, phishing page, phishing template, stealer malware,
      password stealer, token grabber, exploit kit, zero day exploit, hacking service, hacker for hire, hack any
      account, hack instagram, hack facebook, hack whatsapp, leaked database, combo list, combolist, spyware for
      sale, crypter
    `),
  },
  {
    category: 'hacking',
    verdict: 'review',
    terms: list(`
      ransomware, malware, spyware, phishing, aimbot, wallhack, game cheat, jailbreak tool, wifi hack*, flipper
      zero, lock pick set, gps jammer, signal jammer, exe, apk, scr, bat file
    `),
  },
  {
    category: 'restricted',
    verdict: 'review',
    terms: list(`
      disposable vape, vape kit, e cigarette, tobacco leaf, pipe tobacco, chewing tobacco, loose tobacco, marlboro carton,
      carton of marlboro, vape juice, vape pen, e liquid, nicotine, cigarette, rolling tobacco, cuban cigar, box of
      cigars, snus, hookah, moonshine, homemade wine, home brewed beer, online
      casino, casino bonus, casino money, free casino, betting tip, sports pick, sure bet, lottery ticket, raffle ticket, slot machine,
      casino chip
    `),
  },
  { category: 'restricted', verdict: 'review', terms: [...pairs(packs, drinks), ...pairs(drinks, ['bottle'])] },
  { category: 'restricted', verdict: 'review', terms: drinks, near: servings },
  {
    category: 'restricted',
    verdict: 'review',
    terms: list(`red wine, white wine, sparkling wine`),
    near: list(`bordeaux, burgundy, merlot, champagne, vintage`),
  },
  { category: 'restricted', verdict: 'review', terms: list(`tobacco`), near: list(`50g, 100g, 250g, pouch`) },
  {
    category: 'restricted',
    verdict: 'review',
    terms: [...drinks, ...list(`vape, tobacco, marlboro, red wine, white wine, craft beer, alcohol`)],
    isAll: true,
  },
]

/** The rules and the harmless phrases that the scanner uses. */
export const lexicon = { rules, innocent: innocentPhrases }
