// Draws one diagram in the sandboxed page /diagram.html; web/build/emitted-files.ts puts Mermaid before this script.
const minScale = 0.6
/** Left and right margin of the page together. */
const marginsPx = 24
const scrollbarHeightPx = 16

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
    fitToFrame()
    addEventListener('resize', fitToFrame)
  } catch (reason) {
    parent.postMessage({ kind: 'failed', reason: String(reason?.message ?? reason) }, '*')
  }
}

/** Fits the frame's width, but keeps a readable scale. */
function fitToFrame() {
  const svg = document.querySelector('svg')
  const { width, height } = svg.viewBox.baseVal
  const availableWidth = innerWidth - marginsPx
  const visibleWidth = Math.min(width, Math.max(availableWidth, width * minScale))
  svg.style.maxWidth = 'none'
  svg.style.width = `${visibleWidth}px`
  const extraHeight = marginsPx + (visibleWidth > availableWidth ? scrollbarHeightPx : 0)
  parent.postMessage({ kind: 'drawn', height: Math.ceil((visibleWidth / width) * height) + extraHeight }, '*')
}
