import 'server-only'
import type { CSSProperties } from 'react'
import { emojiSvg, type Outline, outlineOf } from '@/lib/infra/glyphs'

/** A part of a line that is drawn as one unit: text in our own font, or a picture of a word, a letter or an emoji. */
type Piece =
  { kind: 'text'; text: string; widthEm: number } | { kind: 'outline' | 'emoji'; src: string; widthEm: number }
/** Pieces between which a line never breaks, and whether a space follows them. */
type Word = { pieces: Piece[]; hasSpace: boolean }

/** A title in any script, ready to be drawn. */
export type DrawnTitle = { words: Word[]; isRightToLeft: boolean }

/** The letters that our own font contains (Bricolage, Latin). */
const OWN_LETTERS = /^[\u0020-\u00ff\u2013\u2014\u2018-\u201d\u2022\u2026\u20ac]+$/
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|\u20e3|\u200d/u
/**
 * Letters of scripts without spaces. A line may break after each of them, but not before the characters of NEVER_FIRST,
 * such as closing punctuation.
 */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const NEVER_FIRST = /^[、。，．！？：；）」』】〉》〕・ー々…ぁぃぅぇぉっゃゅょァィゥェォッャュョ!?)\]]/u
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
const SPACE_EM = 0.26
/** The width of an emoji, with a small margin on both sides. */
const EMOJI_EM = 1.1
/**
 * The width of an average letter of our font, and of wider and narrower ones. An estimate is enough, because it only
 * decides the size of the title.
 */
const LETTER_EM = 0.56
const LETTERS_EM = [
  { letters: /[MWmw@%—]/, em: 0.92 },
  { letters: /[A-Z]/, em: 0.68 },
  { letters: /[ijl.,:;'|! ]/, em: 0.32 },
]
/** A word with more letters than LONG_WORD may not fit into a line, so it may break after every few letters. */
const LONG_WORD = 20
const BREAK_EVERY = 4
const LINE_HEIGHT = 1.2
/** The position of our font's baseline in a line of that height. */
const BASELINE_EM = 0.93

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Splits a title into pieces that can be drawn with the bundled fonts: letters of our own font stay text, others become
 * outlines. Control and direction marks, and letters that no font contains, are left out.
 * @returns null when nothing remains.
 */
export async function setTitle(title: string, maxLetters: number): Promise<DrawnTitle | null> {
  // The joiner of emoji and U+FE0F, which selects the emoji picture, are the only invisible characters that are kept.
  const clean = title.normalize('NFC').replace(/[\p{Cc}\p{Cs}\p{Co}]|(?!\u200d)\p{Cf}/gu, ' ')
  const letters = [...graphemes.segment(clean.replace(/\s+/g, ' ').trim())].map(({ segment }) => segment)
  const shown = letters.length > maxLetters ? [...letters.slice(0, maxLetters - 1), '…'] : letters
  const words: Word[] = []
  for (const text of shown.join('').split(' ')) {
    const parts: Piece[][] = []
    for (const run of splitRuns(text)) {
      const pieces = await drawRun(run.text, title)
      if (pieces.length === 0) continue
      const before = parts.at(-1)
      if (before && (!run.mayBreak || NEVER_FIRST.test(run.text))) before.push(...pieces)
      else parts.push(pieces)
    }
    parts.forEach((pieces, at) => words.push({ pieces, hasSpace: at === parts.length - 1 }))
  }
  if (words.length === 0) return null
  return { words, isRightToLeft: RIGHT_TO_LEFT.test(/\p{L}/u.exec(title)?.[0] ?? '') }
}

/**
 * Keeps only the letters that our own font can draw, so that no other font file is needed; null when nothing remains.
 */
export function setPlainTitle(title: string, maxLetters: number): Promise<DrawnTitle | null> {
  const plain = [...title.normalize('NFC')].map((letter) => (OWN_LETTERS.test(letter) ? letter : ' ')).join('')
  return setTitle(/[\p{L}\p{N}]/u.test(plain) ? plain : '', maxLetters)
}

/** The estimated width of a text in our own font, in em. */
function widthOf(text: string): number {
  return [...text].reduce((sum, one) => sum + (LETTERS_EM.find(({ letters }) => letters.test(one))?.em ?? LETTER_EM), 0)
}

/** Successive letters of one kind within a word. */
type Run = { text: string; mayBreak: boolean; kind: 'own' | 'emoji' | 'unspaced' | 'other' }

/** Splits a word into runs of one kind. Each emoji and each letter of an unspaced script is a run by itself. */
function splitRuns(word: string): Run[] {
  const runs: Run[] = []
  const isLong = word.length > LONG_WORD
  for (const { segment } of graphemes.segment(word)) {
    const kind = kindOf(segment)
    const last = runs.at(-1)
    const isFull = isLong && kind === 'own' && last?.kind === 'own' && last.text.length >= BREAK_EVERY
    if (last && last.kind === kind && !isFull && (kind === 'own' || kind === 'other')) last.text += segment
    else runs.push({ text: segment, kind, mayBreak: isFull || kind === 'unspaced' || last?.kind === 'unspaced' })
  }
  return runs
}

function kindOf(letter: string): Run['kind'] {
  if (OWN_LETTERS.test(letter)) return 'own'
  if (EMOJI.test(letter)) return 'emoji'
  return UNSPACED.test(letter) ? 'unspaced' : 'other'
}

async function drawRun(text: string, context: string): Promise<Piece[]> {
  if (OWN_LETTERS.test(text)) return [{ kind: 'text', text, widthEm: widthOf(text) }]
  const emoji = EMOJI.test(text) ? await emojiSvg(text) : null
  if (emoji) return [{ kind: 'emoji', src: dataUri(emoji), widthEm: EMOJI_EM }]
  const outline = await outlineOf(text, context)
  if (outline) return [{ kind: 'outline', src: dataUri(toSvg(outline)), widthEm: outline.widthEm }]
  // The letters may be in different fonts, as in a Korean word, so each letter is drawn by itself.
  const letters = [...graphemes.segment(text)].map(({ segment }) => segment)
  if (letters.length > 1) return (await Promise.all(letters.map((letter) => drawRun(letter, context)))).flat()
  // A symbol such as ❤ is in none of the fonts but exists as an emoji picture.
  const picture = await emojiSvg(text)
  return picture ? [{ kind: 'emoji', src: dataUri(picture), widthEm: EMOJI_EM }] : []
}

const dataUri = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

/** Places an outline in a box of the line's height, on the baseline of our own font. */
function toSvg({ path, unitsPerEm, widthEm }: Outline): string {
  const [width, height] = [widthEm * unitsPerEm, LINE_HEIGHT * unitsPerEm]
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<g fill="#17150F" transform="translate(0 ${BASELINE_EM * unitsPerEm}) scale(1 -1)">${path}</g></svg>`
  )
}

const SIZES_PX = [62, 54, 48, 42, 36, 32, 28] as const

/** The largest size at which a title fits into a box. */
function fitSize(title: DrawnTitle, box: { width: number; height: number }): number {
  const fits = (size: number) =>
    title.words.every(({ pieces }) => emOf(pieces) <= box.width / size) &&
    countLines(title.words, box.width / size) * Math.round(size * LINE_HEIGHT) <= box.height
  return SIZES_PX.find(fits) ?? SIZES_PX[SIZES_PX.length - 1]!
}

const emOf = (pieces: readonly Piece[]) => pieces.reduce((sum, piece) => sum + piece.widthEm, 0)

/** Counts the lines that the words fill when they are drawn one after the other. */
function countLines(words: readonly Word[], lineEm: number): number {
  let lines = 1
  let leftEm = lineEm
  for (const { pieces, hasSpace } of words) {
    const widthEm = emOf(pieces) + (hasSpace ? SPACE_EM : 0)
    if (widthEm > leftEm && leftEm < lineEm) {
      lines += 1
      leftEm = lineEm
    }
    // A word that is wider than a line takes more than one line.
    lines += Math.max(0, Math.ceil(widthEm / lineEm) - 1)
    leftEm -= widthEm % lineEm
  }
  return lines
}

type TitleProps = { title: DrawnTitle; width: number; height: number }

/**
 * Draws a title into a box, in the largest size that fits. The words run from right to left when the title begins in a
 * right-to-left script.
 */
export function Title({ title, width, height }: TitleProps) {
  const size = fitSize(title, { width, height })
  const lineHeight = Math.round(size * LINE_HEIGHT)
  const gap = title.isRightToLeft ? 'marginLeft' : 'marginRight'
  const box: CSSProperties = {
    display: 'flex',
    flexWrap: 'wrap',
    flexDirection: title.isRightToLeft ? 'row-reverse' : 'row',
    maxHeight: Math.floor(height / lineHeight) * lineHeight,
    width,
    overflow: 'hidden',
    fontSize: size,
    fontWeight: 800,
    lineHeight: LINE_HEIGHT,
    letterSpacing: '-0.02em',
  }
  return (
    <div style={box}>
      {title.words.map(({ pieces, hasSpace }, at) => (
        <div key={at} style={{ display: 'flex', maxWidth: width, [gap]: hasSpace ? size * SPACE_EM : 0 }}>
          {pieces.map((piece, place) =>
            piece.kind === 'text' ? (
              <span key={place}>{piece.text}</span>
            ) : (
              <Picture key={place} piece={piece} size={size} lineHeight={lineHeight} />
            ),
          )}
        </div>
      ))}
    </div>
  )
}

type PictureProps = { piece: Exclude<Piece, { kind: 'text' }>; size: number; lineHeight: number }

function Picture({ piece, size, lineHeight }: PictureProps) {
  const isEmoji = piece.kind === 'emoji'
  const side = isEmoji ? { width: size, height: size } : { width: piece.widthEm * size, height: lineHeight }
  const style = isEmoji ? { margin: `${(lineHeight - size) / 2}px ${size * 0.05}px` } : {}
  // eslint-disable-next-line @next/next/no-img-element, jsx-a11y/alt-text -- drawn into a picture, not a page
  return <img src={piece.src} {...side} style={style} />
}
