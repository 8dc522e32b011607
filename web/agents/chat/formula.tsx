import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type Render = (source: string, place: HTMLElement) => boolean
let render: Render | undefined

async function loadRender(): Promise<Render> {
  render ??= (await import('./render-formula.ts')).renderFormula
  return render
}

/** Shows the source until the renderer is loaded, or if rendering fails. */
export function Formula({ source }: { source: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [set, setSet] = useState(() => render)
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    let left = false
    loadRender().then(
      (loaded) => !left && setSet(() => loaded),
      // Offline it shows the source; the next formula retries.
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [])
  useLayoutEffect(() => {
    if (set && place.current && !set(source, place.current)) setFailed(source)
  }, [set, source])
  if (!set || failed === source)
    return (
      <span dir="ltr" className="wrap-anywhere whitespace-pre-wrap">
        {source}
      </span>
    )
  return <span ref={place} dir="ltr" data-formula={source} />
}
