import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type RenderFormula = (source: string, containerRef: HTMLElement) => boolean
let loadedRender: RenderFormula | undefined

async function loadRender(): Promise<RenderFormula> {
  loadedRender ??= (await import('./render-formula.ts')).renderFormula
  return loadedRender
}

/** Shows the source until the renderer is loaded, or if rendering fails. */
export function Formula({ source }: { source: string }) {
  const containerRef = useRef<HTMLSpanElement>(null)
  const [renderFormula, setRenderFormula] = useState(() => loadedRender)
  const [failedSource, setFailedSource] = useState<string>()
  useEffect(() => {
    let isUnmounted = false
    loadRender().then(
      (loaded) => !isUnmounted && setRenderFormula(() => loaded),
      // Offline it shows the source; the next formula retries.
      () => undefined,
    )
    return () => {
      isUnmounted = true
    }
  }, [])
  useLayoutEffect(() => {
    if (renderFormula && containerRef.current && !renderFormula(source, containerRef.current)) setFailedSource(source)
  }, [renderFormula, source])
  if (!renderFormula || failedSource === source)
    return (
      <span dir="ltr" className="wrap-anywhere whitespace-pre-wrap">
        {source}
      </span>
    )
  return <span ref={containerRef} dir="ltr" data-formula={source} />
}
