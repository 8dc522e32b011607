import { useEffect, useState } from 'react'

interface SandboxedPageProps {
  title: string
  /** A complete HTML document, already sanitized. */
  document: string
  className: string
}

/** A blob URL inherits this page's CSP, and the sandbox blocks scripts. */
export function SandboxedPage({ title, document, className }: SandboxedPageProps) {
  const [pageUrl, setPageUrl] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([document], { type: 'text/html' }))
    setPageUrl(url)
    return () => URL.revokeObjectURL(url)
  }, [document])
  if (!pageUrl) return null
  return (
    <iframe key={pageUrl} title={title} src={pageUrl} sandbox="" referrerPolicy="no-referrer" className={className} />
  )
}
