import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type Render = (source: string, container: HTMLElement) => boolean
let render: Render | undefined

async function loadRender(): Promise<Render> {
  render ??= (await import('./render-formula.ts')).renderFormula
  return render
}

/** Shows the source until the renderer is loaded, or if rendering fails. */
export function Formula({ source }: { source: string }) {
  const container = useRef<HTMLSpanElement>(null)
  const [renderFormula, setRenderFormula] = useState(() => render)
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    let left = false
    loadRender().then(
      (loaded) => !left && setRenderFormula(() => loaded),
      // Offline it shows the source; the next formula retries.
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [])
  useLayoutEffect(() => {
    if (renderFormula && container.current && !renderFormula(source, container.current)) setFailed(source)
  }, [renderFormula, source])
  if (!renderFormula || failed === source)
    return (
      <span dir="ltr" className="wrap-anywhere whitespace-pre-wrap">
        {source}
      </span>
    )
  return <span ref={container} dir="ltr" data-formula={source} />
}
