import { z } from 'zod/mini'

/**
 * The checks of a string that may have at most `most` characters (Unicode code points). Use them instead of
 * `z.maxLength`. After a failed check zod still runs the ones that follow, on the whole string. A pattern among them
 * could then keep the process busy for hours with a string of several megabytes. The second check cuts a string that is
 * certainly refused, so that the others see only its beginning. A code point has at most two of the UTF-16 units that
 * `slice()` counts.
 */
export const maxCharacters = (most: number, text?: string): z.core.$ZodCheck<string>[] => [
  z.maxLength(most, text),
  z.overwrite((value: string) => value.slice(0, 2 * most)),
]

/**
 * The check of a list that may have at most `most` items. When a list is longer, zod reads none of its items and runs
 * no further check.
 */
export const maxItems = (most: number, text?: string): z.core.$ZodCheck<unknown[]> => z.maxLength(most, text)
