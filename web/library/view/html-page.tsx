import { use, useMemo } from 'react'
import { useTheme } from '#web/theme/theme-provider.tsx'
import { SandboxedPage } from '#web/ui/sandboxed-page.tsx'
import { normalizeHtml } from '../text/html-tokens.ts'
import { ViewersContext } from './viewers.ts'

const maxHtmlLength = 3_000_000

/** Sanitized: nothing that loads an address is left. */
export function HtmlPage({ html, name }: { html: string; name: string }) {
  const { cleanPage } = use(ViewersContext)
  const { mode } = useTheme()
  const page = useMemo(() => cleanPage(normalizeHtml(html.slice(0, maxHtmlLength)), mode), [html, mode, cleanPage])
  return (
    <>
      <SandboxedPage
        title={name}
        document={page.document}
        className="h-[calc(100dvh-320px)] min-h-64 w-full rounded-md border border-border bg-card"
      />
      <p className="mt-2 text-small text-muted-foreground">
        Shown without scripts, styles, forms, links and external pictures.
        {html.length > maxHtmlLength && ' Only the beginning is shown here. Choose Text to see everything.'}
      </p>
    </>
  )
}
