import type { MetadataRoute } from 'next'
import { brand } from '@/lib/kernel/brand'

// The manifest is made per request, because the brand comes from the environment of the running process.
export const dynamic = 'force-dynamic'

/** The icons are drawn by lib/artwork/draw-icons.mjs. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: '/',
    name: `${brand.name} – ${brand.tagline}`,
    short_name: brand.name,
    description: brand.description,
    start_url: '/',
    display: 'standalone',
    background_color: '#fbf9f5',
    theme_color: '#fbf9f5',
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/icons/maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [{ name: 'Create a drop', url: '/create-drop' }],
  }
}
