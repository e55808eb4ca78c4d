// One thing only: a page of ours instead of the browser's when a navigation cannot reach us. Every navigation goes to the
// network, nothing of it is kept, so that no price, stock or clock is ever an old one. Nothing else comes through here.
const CACHE = 'offline-1'
const PAGE = '/offline'

self.addEventListener('install', (event) => {
  // Where browsers know it, the rest does not even wake this worker.
  const routes = event.addRoutes?.([{ condition: { not: { requestMode: 'navigate' } }, source: 'network' }])
  routes?.catch(() => undefined)
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(PAGE, { cache: 'reload' }))))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      // The request leaves while the worker is still waking.
      self.registration.navigationPreload?.enable(),
      caches
        .keys()
        .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
    ]),
  )
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(load(event))
})

async function load(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(PAGE)) ?? Response.error()
  }
}
