// Serves the app offline. build/installable.ts writes it to /sw.js with this build's files.
// Ignores the API, uploads and the pages before sign-in, and sends requests only to this server.
const version = '__VERSION__'
const files = new Set(__FILES__)
const cachePrefix = 'keeper-shell-'
const shellPath = '/index.html'
const signedOutPaths = ['/', '/login', '/register']
const navigationTimeoutMs = 4000
const concurrentDownloads = 4

const isHashed = (path) => path.startsWith('/assets/')

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('message', ({ data }) => {
  // Only on request, because the new version reloads the page.
  if (data === 'take-over') self.skipWaiting()
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (isAppPage(pathname)) event.respondWith(respondWithPage(request))
  } else if (files.has(pathname)) {
    event.respondWith(isHashed(pathname) ? respondCacheFirst(request) : respondNetworkFirst(request))
  } else if (isHashed(pathname)) {
    // A file of the previous build, for a tab that still shows it.
    event.respondWith(respondCacheFirst(request))
  }
})

async function install() {
  const cache = await caches.open(cachePrefix + version)
  const pendingPaths = [...files]
  const cachePending = async () => {
    for (let path = pendingPaths.pop(); path !== undefined; path = pendingPaths.pop()) {
      const cached = isHashed(path) ? await caches.match(path) : undefined
      const response = cached ?? (await fetch(path, { cache: isHashed(path) ? 'default' : 'reload', priority: 'low' }))
      if (!isFile(response, path)) throw new Error(`${path} answered ${response.status}`)
      await cache.put(path, response)
    }
  }
  await Promise.all(Array.from({ length: concurrentDownloads }, cachePending))
}

async function activate() {
  // In creation order. The previous build's cache stays, for tabs that still show it.
  const otherCaches = (await caches.keys()).filter(
    (name) => name.startsWith(cachePrefix) && name !== cachePrefix + version,
  )
  await Promise.all(otherCaches.slice(0, -1).map((name) => caches.delete(name)))
  await self.clients.claim()
}

function isAppPage(path) {
  const fileName = path.slice(path.lastIndexOf('/') + 1)
  return !signedOutPaths.includes(path) && !path.startsWith('/api/') && !fileName.includes('.')
}

/** A sign-on or a network's start page answers with a page of its own, which would stay in the cache. */
function isFile(response, path) {
  const isPage = (response.headers.get('Content-Type') ?? '').startsWith('text/html')
  return response.ok && !response.redirected && isPage === path.endsWith('.html')
}

/** The server's page, or this build's if the server can't be reached, a proxy can't find it, or it is slow. */
async function respondWithPage(request) {
  const cached = await caches.match(shellPath, { cacheName: cachePrefix + version })
  if (!cached) return fetch(request)
  const timeout = new Promise((resolve) => setTimeout(resolve, navigationTimeoutMs, cached))
  const fetched = fetch(request).then(
    (response) => ([502, 503, 504].includes(response.status) ? cached : response),
    () => cached,
  )
  return Promise.race([fetched, timeout])
}

async function respondCacheFirst(request) {
  // Without the query, which would create an entry of its own.
  const { pathname } = new URL(request.url)
  const cached = await caches.match(pathname, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  // Files too large to precache, such as the PDF viewer, are cached on first use.
  if (isHashed(pathname) && isFile(response, pathname)) {
    const cache = await caches.open(cachePrefix + version)
    await cache.put(pathname, response.clone()).catch(() => undefined)
  }
  return response
}

async function respondNetworkFirst(request) {
  try {
    return await fetch(request)
  } catch (reason) {
    const cached = await caches.match(request, { ignoreVary: true })
    if (cached) return cached
    throw reason
  }
}
