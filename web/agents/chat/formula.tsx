import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type Render = (source: string, place: HTMLElement) => boolean
let render: Render | undefined

async function loadRender(): Promise<Render> {
  render ??= (await import('./render-formula.ts')).renderFormula
  return render
}

/** A formula, as it was written until what sets it is there; so is one that cannot be set. */
export function Formula({ source }: { source: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [set, setSet] = useState(() => render)
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    let left = false
    loadRender().then(
      (loaded) => !left && setSet(() => loaded),
      // Without a server it stays as it was written; the next one tries again.
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
