import { createRoot } from 'react-dom/client'
import { surviveTranslation } from '../page/survive-translation.ts'
import { blockReservedKeys } from '../ui/fields/field-keys.ts'
import { SitePage } from './site-page.tsx'

blockReservedKeys()
surviveTranslation()

createRoot(document.getElementById('root') as HTMLElement).render(<SitePage />)
