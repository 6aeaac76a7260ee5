import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/inbox.css';
import './styles/conversation.css';
import './styles/pages.css';

import { createRoot } from 'react-dom/client';

import { App } from './app.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(<App />);
