import { hydrateRoot } from 'react-dom/client'
import { dockDebugTab } from '#web/page/dock-debug-tab.ts'
import { surviveTranslation } from '../page/survive-translation.ts'
import { RegisterPage } from './register-page.tsx'

surviveTranslation()
hydrateRoot(document.getElementById('root') as HTMLElement, <RegisterPage />)
dockDebugTab()
