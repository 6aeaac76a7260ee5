import type { ReactNode } from 'react';

export interface NoticeProps {
  kind: 'info' | 'warning' | 'failure';
  /** Whether a screen reader says it at once. */
  isNews?: boolean;
  children: ReactNode;
}

export function Notice({ kind, isNews = false, children }: NoticeProps) {
  return (
    <div className={`notice notice-${kind}`} {...(isNews ? { role: kind === 'failure' ? 'alert' : 'status' } : {})}>
      {children}
    </div>
  );
}
