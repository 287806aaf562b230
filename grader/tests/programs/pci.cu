// pci.cu - where the device is: its name on the bus, and the device of that name, agree.
#include "program.h"

#include <cstring>

static int attribute(cudaDeviceAttr which)
{
    int value;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main()
{
    char id[32], named[32];
    int device = -1;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    EXPECT(properties.pciDomainID == attribute(cudaDevAttrPciDomainId));
    EXPECT(properties.pciBusID == attribute(cudaDevAttrPciBusId));
    EXPECT(properties.pciDeviceID == attribute(cudaDevAttrPciDeviceId));
    EXPECT(properties.pciBusID + properties.pciDeviceID > 0);
    CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    snprintf(named, sizeof named, "%04x:%02x:%02x.0", properties.pciDomainID, properties.pciBusID,
             properties.pciDeviceID);
    EXPECT(strcasecmp(id, named) == 0);
    CHECK(cudaDeviceGetByPCIBusId(&device, id));
    EXPECT(device == 0);
    named[strlen(named) - 2] = 0; // the function may be left out
    device = -1;
    CHECK(cudaDeviceGetByPCIBusId(&device, named));
    EXPECT(device == 0);
    FAILS(cudaDeviceGetByPCIBusId(&device, "0000:77:1f.0"), cudaErrorInvalidDevice);
    FAILS(cudaDeviceGetByPCIBusId(NULL, id), cudaErrorInvalidValue);
    printf("all is as it should be\n");
    return 0;
}
