import { use, useEffect, useMemo, useState } from 'react'
import { useTheme } from '#web/theme/theme-provider.tsx'
import { tamedHtml } from '../text/html-tokens.ts'
import { ViewersContext } from './viewers.ts'

/** What is put into order for showing; the whole is in Text. */
const mostShown = 3_000_000

/**
 * By blob address, so that the policy of this page holds in there too; the sandbox lets nothing run and nothing out, and the
 * page is written anew without whatever would ask for an address.
 */
export function HtmlPage({ html, name }: { html: string; name: string }) {
  const { cleanPage } = use(ViewersContext)
  const { mode } = useTheme()
  const page = useMemo(() => cleanPage(tamedHtml(html.slice(0, mostShown)), mode), [html, mode, cleanPage])
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([page.document], { type: 'text/html' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [page.document])
  return (
    <>
      {address && (
        <iframe
          key={address}
          title={name}
          src={address}
          sandbox=""
          referrerPolicy="no-referrer"
          className="h-[calc(100dvh-320px)] min-h-64 w-full rounded-md border border-border bg-card"
        />
      )}
      <p className="mt-2 text-small text-muted-foreground">
        Shown without its scripts, styles, forms, links and pictures from elsewhere.
        {html.length > mostShown && ' Only the beginning is shown here; the whole is in Text.'}
      </p>
    </>
  )
}
