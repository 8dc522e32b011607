// Draws one diagram in a sandbox without an origin: /diagram.html, behind Mermaid itself (web/build/emitted-files.ts).
const minScale = 0.6
const margins = 24
const scrollbarHeight = 16

addEventListener('message', ({ source, data }) => {
  if (source === parent) draw(data)
})
parent.postMessage({ kind: 'ready' }, '*')

async function draw({ code, colors, isDark }) {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      htmlLabels: false,
      maxTextSize: 20_000,
      maxEdges: 500,
      theme: 'base',
      fontFamily: 'system-ui, sans-serif',
      themeVariables: { darkMode: isDark, ...colors },
    })
    const { svg } = await mermaid.render('diagram', code)
    document.body.style.background = colors.background
    document.body.innerHTML = svg
    fit()
    addEventListener('resize', fit)
  } catch (reason) {
    parent.postMessage({ kind: 'failed', reason: String(reason?.message ?? reason) }, '*')
  }
}

/** As wide as the frame, but never so small that nothing can be read. */
function fit() {
  const svg = document.querySelector('svg')
  const { width, height } = svg.viewBox.baseVal
  const availableWidth = innerWidth - margins
  const visibleWidth = Math.min(width, Math.max(availableWidth, width * minScale))
  svg.style.maxWidth = 'none'
  svg.style.width = `${visibleWidth}px`
  const extraHeight = margins + (visibleWidth > availableWidth ? scrollbarHeight : 0)
  parent.postMessage({ kind: 'drawn', height: Math.ceil((visibleWidth / width) * height) + extraHeight }, '*')
}
