import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

export interface DialogBoxProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** `alertdialog` where something has to be confirmed. */
  role?: 'dialog' | 'alertdialog';
  isWide?: boolean;
  children: ReactNode;
}

/** A modal dialog: focus stays within, Escape closes it. */
export function DialogBox({ title, isOpen, onClose, role = 'dialog', isWide = false, children }: DialogBoxProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={role === 'dialog'}
    >
      <Modal className={isWide ? 'modal modal-wide' : 'modal'}>
        <Dialog role={role} className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
