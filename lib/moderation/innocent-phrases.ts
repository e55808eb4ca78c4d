import 'server-only'
import { list } from './rules'

/**
 * Harmless phrases that the scanner removes from a text before it applies its rules. Most of them contain a term of the
 * rules. A trailing * stands for any letters.
 */
export const innocentPhrases: readonly string[] = list(`
      gun metal, gun show poster, gun dog, gun shy, glue gun, hot glue gun, heat gun, nail gun, spray gun, massage
      gun, tattoo gun, caulk gun, caulking gun, grease gun, staple gun, nerf gun, water gun, toy gun, squirt gun,
      bubble gun, confetti gun, rubber band gun, ray gun, space gun, paint gun, airbrush gun, spud gun, potato
      gun, cap gun, pop gun, top gun, young gun, big gun, finger gun, machine gun kelly, gun n rose, guns n rose,
      guns and rose, gun and rose, son of a gun, smoking gun, jumping the gun, jump the gun, gun control, gun
      violence, gun safety, gun lake, gun street, shotgun house, shotgun wedding, shotgun shack, shotgun mic,
      shotgun microphone, shotgun seat, call shotgun, called shotgun, calling shotgun, riding shotgun, ride
      shotgun, rifle paper, rifle green, nerf rifle, toy rifle, rifle through, toy pistol, water pistol, sex
      pistol, pistol squat, pistol shrimp, pistol grip, cap pistol, nerf pistol, glue pistol, beatles revolver,
      revolver beatles, revolver by the beatles, revolver lp, revolver vinyl, revolver album, revolver tour, nerf
      ammo, ammo can, vintage ammo box, metal ammo box, photo magazine, explosive flavo*, explosive colo*,
      explosive growth, explosive power, explosive drum*, explosive performance, firework print, firework photo*,
      firework painting, firework poster, machete kills, weed killer, weed whacker, weed barrier, weed free, weed control, weed mat, weed fabric, weed torch, weed preventer, weed eater, weed
      puller, weeding tool, sea weed, milk weed, tumble weed, butterfly weed, diet coke, coke bottle, coca cola,
      coke can, coke zero, vintage coke, cocaine bear, heroin chic, black opium, molly ringwald, good golly miss
      molly, miss molly, breaking bad, cannabis leaf print, hemp, acid wash, acid jazz, acid house, xxx large,
      size xxx, xxx l, agony and ecstasy, religious ecstasy, bong joon ho, kush mountain*, hindu kush, food porn,
      earth porn, plant porn, escort mk*, ford escort, fetish for, erotic history, isis goddess, goddess isis,
      isis egypt*, egyptian isis, isis and osiris, osiris and isis, temple of isis, isis statue, suicide squad,
      suicide prevention, suicide awareness, suicide girls, suicide doors, anti nazi, nazi punks, anti hitler,
      fire retard*, flame retard*, malware protection, anti malware, phishing awareness, phishing training,
      ransomware awareness, spyware protection, casino royale, casino night, cigarette card, cigarette case,
      cigarette pants, cigarette jeans, cigarette trousers, cigarette holder vintage, nicotine free, hookah lounge
      sign, slot machine toy, prescription glasses, prescription lens*, prescription sunglasses, insulin case,
      insulin bag, insulin pouch, botox for hair, hair botox, faux taxidermy, felt taxidermy, paper taxidermy,
      faux ivory, sake of, pye weed, wine bottle opener, wine bottle stopper, wine bottle holder, wine bottle rack, wine bottle bag, wine bottle
      lamp, wine bottle candle, wine bottle vase, wine bottle planter, wine bottle label, beer bottle opener, beer bottle lamp, beer
      bottle cap, beer bottle cozy, gin bottle lamp, gin bottle candle, whiskey bottle lamp, whiskey bottle label, vodka bottle
      lamp, root beer, ginger beer, non alcoholic beer, non alcoholic wine, alcohol free beer, alcohol free wine, apple cider
      vinegar, cider vinegar, wine vinegar, wine glass*, beer glass*, wine rack, wine cooler, wine label, wine cellar, rum cake,
      gin rummy, champagne gold, champagne coupe, champagne flute, champagne colo*, butter beer, beer mat, beer coaster, wine stopper,
      human hair wig, human hair extension, human hair bundle, rep range, per rep, fake nike of, body armor
      costume, body armour costume, cosplay armor
    `)
