// Runs before the first paint: applies the stored theme to <html>, then follows changes of the system's color scheme and
// of other tabs. theme-memory.ts stores the values.
;(() => {
  const root = document.documentElement
  const darkQuery = matchMedia('(prefers-color-scheme: dark)')
  let paintedNames = []
  // The last value of this tab, because storing it may have failed.
  let latestValue
  // Overrides the stored theme until cleared; on a keeper's page, it starts with the keeper's theme.
  const [, keeperId] = /^\/keeper\/([^/]+)\//.exec(location.pathname) ?? []
  const keeperSlug = readMemory().keepers?.[keeperId]
  let preview = keeperSlug ? { slug: keeperSlug } : null

  function readStorage(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  function readMemory() {
    try {
      const { mode, ...theme } = JSON.parse(latestValue ?? readStorage('keeper-theme')) ?? {}
      // A theme belongs to the signed-in person; the mode belongs to the device.
      return readStorage('keeper_token') ? { mode, ...theme } : { mode }
    } catch {
      return {}
    }
  }

  function paint(event) {
    if (event?.detail !== undefined) preview = event.detail
    latestValue = event?.storedMemory ?? latestValue
    const memory = readMemory()
    const { mode } = memory
    const { slug, colours, basis = slug } = preview ?? memory
    const systemMode = darkQuery.matches ? 'dark' : 'light'
    const visibleMode = mode === 'light' || mode === 'dark' ? mode : systemMode
    root.dataset.theme = typeof basis === 'string' ? basis : 'keeper-classic'
    root.dataset.mode = visibleMode
    for (const name of paintedNames) root.style.removeProperty(name)
    paintedNames = []
    for (const [name, value] of Object.entries(colours?.[visibleMode] ?? {})) {
      if (!name.startsWith('--k-')) continue
      root.style.setProperty(name, value)
      paintedNames.push(name)
    }
    dispatchEvent(new Event('keeper-theme-painted'))
  }

  paint()
  darkQuery.addEventListener('change', () => paint())
  addEventListener('keeper-theme', paint)
  addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'keeper-theme') latestValue = undefined
    if (event.key === null || event.key === 'keeper-theme' || event.key === 'keeper_token') paint()
  })
})()
