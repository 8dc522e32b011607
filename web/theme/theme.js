// Runs before the first paint: applies the stored theme to <html>, then follows changes of the system's color scheme and
// of other tabs. theme-memory.ts stores the values.
;(() => {
  const root = document.documentElement
  const night = matchMedia('(prefers-color-scheme: dark)')
  let painted = []
  // The last value of this tab, because storing it may have failed.
  let held
  // Overrides the stored theme until cleared; on a keeper's page, it starts with the keeper's theme.
  const [, keeper] = /^\/keeper\/([^/]+)\//.exec(location.pathname) ?? []
  const slugOfKeeper = remembered().keepers?.[keeper]
  let preview = slugOfKeeper ? { slug: slugOfKeeper } : null

  function stored(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  function remembered() {
    try {
      const { mode, ...theirs } = JSON.parse(held ?? stored('keeper-theme')) ?? {}
      // A theme belongs to the signed-in person; the mode belongs to the device.
      return stored('keeper_token') ? { mode, ...theirs } : { mode }
    } catch {
      return {}
    }
  }

  function paint(event) {
    if (event?.detail !== undefined) preview = event.detail
    held = event?.held ?? held
    const memory = remembered()
    const { mode } = memory
    const { slug, colours, basis = slug } = preview ?? memory
    const shown = mode === 'light' || mode === 'dark' ? mode : night.matches ? 'dark' : 'light'
    root.dataset.theme = typeof basis === 'string' ? basis : 'keeper-classic'
    root.dataset.mode = shown
    for (const name of painted) root.style.removeProperty(name)
    painted = []
    for (const [name, value] of Object.entries(colours?.[shown] ?? {})) {
      if (!name.startsWith('--k-')) continue
      root.style.setProperty(name, value)
      painted.push(name)
    }
    dispatchEvent(new Event('keeper-theme-painted'))
  }

  paint()
  night.addEventListener('change', () => paint())
  addEventListener('keeper-theme', paint)
  addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'keeper-theme') held = undefined
    if (event.key === null || event.key === 'keeper-theme' || event.key === 'keeper_token') paint()
  })
})()
