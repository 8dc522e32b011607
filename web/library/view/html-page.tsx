import { use, useMemo } from 'react'
import { useTheme } from '#web/theme/theme-provider.tsx'
import { SandboxedPage } from '#web/ui/sandboxed-page.tsx'
import { tamedHtml } from '../text/html-tokens.ts'
import { ViewersContext } from './viewers.ts'

/** What is put into order for showing; the whole is in Text. */
const mostShown = 3_000_000

/** Written anew without whatever would ask for an address. */
export function HtmlPage({ html, name }: { html: string; name: string }) {
  const { cleanPage } = use(ViewersContext)
  const { mode } = useTheme()
  const page = useMemo(() => cleanPage(tamedHtml(html.slice(0, mostShown)), mode), [html, mode, cleanPage])
  return (
    <>
      <SandboxedPage
        title={name}
        document={page.document}
        className="h-[calc(100dvh-320px)] min-h-64 w-full rounded-md border border-border bg-card"
      />
      <p className="mt-2 text-small text-muted-foreground">
        Shown without its scripts, styles, forms, links and pictures from elsewhere.
        {html.length > mostShown && ' Only the beginning is shown here; the whole is in Text.'}
      </p>
    </>
  )
}
