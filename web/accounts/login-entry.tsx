import { hydrateRoot } from 'react-dom/client'
import { LoginPage } from './login-page.tsx'

hydrateRoot(document.getElementById('root') as HTMLElement, <LoginPage />)
