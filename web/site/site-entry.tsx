import { createRoot } from 'react-dom/client'
import { blockReservedKeys } from '../ui/fields/block-reserved-keys.ts'
import { SitePage } from './site-page.tsx'

blockReservedKeys()

createRoot(document.getElementById('root') as HTMLElement).render(<SitePage />)
