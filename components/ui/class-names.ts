import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// tailwind-merge knows Tailwind's own names. These are the names of our theme (app/globals.css) that it would misread
// or would not know. Names of colors and fonts need no entry.
const merge = extendTailwindMerge({
  extend: {
    theme: { radius: ['card', 'control'], shadow: ['card'] },
    classGroups: { 'fvn-spacing': ['tabular'], pb: ['pb-safe'] },
  },
})

/** Joins class names. When two of them set the same property, the later one wins. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values))
}
