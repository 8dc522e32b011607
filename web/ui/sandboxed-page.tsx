import { useEffect, useState } from 'react'

interface SandboxedPageProps {
  title: string
  /** A complete HTML document, already sanitized. */
  document: string
  className: string
}

/** A blob URL inherits this page's CSP, and the sandbox blocks scripts. */
export function SandboxedPage({ title, document, className }: SandboxedPageProps) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([document], { type: 'text/html' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [document])
  if (!address) return null
  return (
    <iframe key={address} title={title} src={address} sandbox="" referrerPolicy="no-referrer" className={className} />
  )
}
